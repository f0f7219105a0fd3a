import { expect, it } from 'vitest';
import { checkNodeVersion, explainFailure } from './install.mjs';
import { SetupError } from './program.mjs';

it.each(['20.19.0', '20.20.2', '22.1.0', '26.0.0'])('accepts Node %s', (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow();
});

it.each(['18.20.4', '20.18.3'])('refuses Node %s and says what to install', (version) => {
  expect(() => checkNodeVersion(version)).toThrow(SetupError);
  expect(() => checkNodeVersion(version)).toThrow(/install Node 20\.19 or newer/);
});

it('tells a missing network from other failures of npm', () => {
  expect(explainFailure('npm error code EAI_AGAIN\nnpm error syscall getaddrinfo')).toMatch(
    /could not reach/,
  );
  expect(explainFailure('npm error code EINTEGRITY')).not.toMatch(/could not reach/);
});
