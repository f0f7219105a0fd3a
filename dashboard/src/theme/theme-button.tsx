import { chooseTheme, nextTheme, useTheme } from './theme.ts';

export function ThemeButton() {
  const theme = useTheme();
  return (
    <button
      type="button"
      className="button button-plain"
      title={`Colours: ${theme}. Press for ${nextTheme(theme)}. (t)`}
      onClick={() => chooseTheme(nextTheme(theme))}
    >
      <span className="visually-hidden">Colours: </span>
      {theme}
    </button>
  );
}
