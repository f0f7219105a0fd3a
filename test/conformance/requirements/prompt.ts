import { line, type Section } from '../requirement.ts';

export const prompt: Section = {
  name: '§12 Prompt',
  count: 8,
  lines: [
    line('R-12.1-a', 'behaviour', 'Inputs are the template, the issue and the attempt'),
    line('R-12.2-a', 'behaviour', 'An undefined variable fails'),
    line('R-12.2-b', 'behaviour', 'An undefined filter fails'),
    line('R-12.2-c', 'behaviour', 'Keys of the issue are texts'),
    line('R-12.2-d', 'behaviour', 'Lists and maps stay, so that templates can loop'),
    line('R-12.3-a', 'should', 'attempt counts from 1, null for the first run'),
    line('R-12.3-b', 'behaviour', 'attempt does not tell continuation from retry; retry_kind may'),
    line('R-12.4-a', 'behaviour', 'A prompt that cannot be rendered fails the attempt like any failure'),
  ],
};
