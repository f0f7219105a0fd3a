import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'aiops-theme';
const CHANGED = 'aiops:theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Puts the choice on the document, where the style sheets look. */
export function applyTheme(theme: Theme = readTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

export function nextTheme(theme: Theme): Theme {
  return ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme(theme);
  window.dispatchEvent(new Event(CHANGED));
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    const follow = (): void => {
      applyTheme();
      listener();
    };
    // `storage` brings the choice of another tab.
    window.addEventListener('storage', follow);
    window.addEventListener(CHANGED, listener);
    return () => {
      window.removeEventListener('storage', follow);
      window.removeEventListener(CHANGED, listener);
    };
  }, readTheme);
}
