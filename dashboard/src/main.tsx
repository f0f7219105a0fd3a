import '../../src/contract/no-eval.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/rows.css';
import './styles/run.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createBrowserFeed } from './feed/browser-feed.ts';
import { applyTheme } from './theme/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
applyTheme();
createRoot(root).render(
  <StrictMode>
    <App stateFeed={createBrowserFeed()} />
  </StrictMode>,
);
