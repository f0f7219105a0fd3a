/** What a phrase tells: a date, how long to wait, or a time of the day. */
export type QuotaMeaning = 'iso_date' | 'written_date' | 'wait' | 'clock_time';

export interface QuotaPhrase {
  readonly meaning: QuotaMeaning;
  readonly pattern: RegExp;
  /** The words it was written for, who says them, and when that was looked up. */
  readonly example: string;
  readonly source: string;
  readonly asOf: string;
}

/** How agents say when a quota is back; the first phrase that fits counts. A new one is added here with its example, which is tested. */
export const QUOTA_PHRASES: readonly QuotaPhrase[] = [
  {
    meaning: 'iso_date',
    pattern: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/,
    example: 'limited until 2026-11-20T08:00:00Z',
    source: 'errors of model providers that agents pass on',
    asOf: '2026-11-15',
  },
  {
    meaning: 'written_date',
    pattern:
      /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?(?:,? (?:at )?(?<hour>\d{1,2}):(?<minute>\d{2}) ?(?<half>am|pm)?)?/i,
    example: "You've hit your usage limit. Try again at Nov 20th, 2026 9:15 AM.",
    source: 'Codex 0.166.0, when the limit is lifted on another day',
    asOf: '2026-11-15',
  },
  {
    meaning: 'wait',
    pattern: /\b(?:again|retry|resets?|available|wait)\b[^.\n]{0,30}?\b(?:in|after|for)\b/i,
    example: "You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.",
    source: 'Codex 0.39.0 (https://github.com/openai/codex/issues/3899); other agents say `retry in 12s`',
    asOf: '2026-11-15',
  },
  {
    meaning: 'clock_time',
    pattern:
      /\bat (?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>am|pm)\b|\bat (?<hour24>\d{1,2}):(?<minute24>\d{2})\b/i,
    example: "You've hit your usage limit. Try again at 3:40 PM.",
    source: 'Codex 0.166.0, when the limit is lifted on the same day',
    asOf: '2026-11-15',
  },
];

/** An amount of time within a wait. */
export const QUOTA_AMOUNT = /(\d+(?:\.\d+)?)\s*(s|m|h|d|w)(?:ec|in|our|ay|eek|r)?[a-z]*/gi;

/** Names of the fields of a rate-limit window, as Codex 0.166.0 reports it and as its events are stored. */
export const WINDOW_FIELDS = {
  usedPercent: ['used_percent', 'usedPercent'],
  /** Seconds or milliseconds since the epoch, or a date. */
  resetsAt: ['resets_at', 'resetsAt'],
  resetsInSeconds: ['resets_in_seconds', 'resetsInSeconds'],
} as const;
