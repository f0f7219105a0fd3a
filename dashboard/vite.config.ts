import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `vite dashboard` serves the page with live reload against a worker on its default port. */
export default defineConfig(({ command }) => ({
  plugins: [react()],
  server: { proxy: { '/api': 'http://127.0.0.1:4000' } },
  // What is built is always fit to ship, also when a test run builds it with NODE_ENV=test.
  ...(command === 'build' && {
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { development: false } },
  }),
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The packages in it are passed on with their licences.
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    // The content policy allows files of our own and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
