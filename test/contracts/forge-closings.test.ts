import { describe, expect, it, onTestFinished } from 'vitest';
import { type FixtureOptions, FORGES, type ForgeFixture, type ForgeSubject } from './forge-fixture.ts';

async function opened(subject: ForgeSubject, options: FixtureOptions = {}): Promise<ForgeFixture> {
  const on = await subject.open(options);
  onTestFinished(() => on.fake.finish());
  return on;
}

/** The issue of the run is #7 of octo/app. */
const OTHERS: readonly [string, string][] = [
  ['Closes #8', '#8'],
  ['This fixes #7 and resolves #8.', '#8'],
  ['Fixes evil/app#7', 'evil/app#7'],
  ['Fixed https://github.com/octo/other/issues/7', 'https://github.com/octo/other/issues/7'],
  ['<!-- closes #8 -->', '#8'],
  ['> closes #8', '#8'],
  ['<!--\n```\n-->\nCloses #8\n<!--\n```\n-->', '#8'],
  ['Fixes ENG-12', 'ENG-12'],
  ['completes https://linear.app/acme/issue/ENG-12/title', 'ENG-12'],
];
const FINE = ['Closes #7', 'fixes octo/app#7', 'Part of #8, see also ENG-12.', 'prefixes #8'];

describe.each(FORGES)('a pull request on $name', (subject) => {
  it.each(OTHERS)('cannot close another issue: %j', async (text, named) => {
    const on = await opened(subject);
    const refused = {
      success: false,
      error: { code: 'not_allowed', message: expect.stringContaining(`Write of ${named} without "closes"`) },
    };
    const oneLine = text.replaceAll('\n', ' ');
    expect(await on.use('pull_request_open', { title: 'x', body: text })).toMatchObject(refused);
    expect(await on.use('pull_request_open', { title: oneLine })).toMatchObject(refused);
    const number = on.addPull({ title: 'Mine' });
    expect(await on.use('pull_request_update', { body: text })).toMatchObject(refused);
    expect(await on.use('pull_request_update', { title: oneLine })).toMatchObject(refused);
    expect(on.fake.store.issue(number)).toMatchObject({ title: 'Mine' });
    expect(on.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(FINE)('may say %j', async (text) => {
    const on = await opened(subject);
    expect(await on.use('pull_request_open', { title: 'x', body: text })).toMatchObject({ success: true });
    expect(await on.use('pull_request_update', { body: `${text}\n` })).toMatchObject({ success: true });
  });

  it('of an issue that is elsewhere closes none here, and its own by its name', async () => {
    const on = await opened(subject, { numberOf: () => null });
    expect(await on.use('pull_request_open', { title: 'x', body: 'Closes #7' })).toMatchObject({
      error: { code: 'not_allowed', message: expect.stringContaining('#7') },
    });
    const issue = { identifier: 'ENG-12' };
    const input = { title: 'x', body: 'Fixes ENG-12' };
    expect(await on.use('pull_request_open', input, { issue: { ...on.issue, ...issue } })).toMatchObject({
      success: true,
    });
  });
});
