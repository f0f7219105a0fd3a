import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { Coloured } from './segments.ts';

const lowlight = createLowlight({
  ...{ bash, c, cpp, csharp, css, dockerfile, go, ini, java, javascript, json, kotlin, makefile, markdown },
  ...{ php, python, ruby, rust, sql, swift, typescript, xml, yaml },
});

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{
    sh: 'bash',
    bash: 'bash',
    zsh: 'bash',
    c: 'c',
    h: 'c',
    cc: 'cpp',
    cpp: 'cpp',
    hpp: 'cpp',
    cs: 'csharp',
  },
  ...{
    css: 'css',
    scss: 'css',
    go: 'go',
    ini: 'ini',
    toml: 'ini',
    java: 'java',
    kt: 'kotlin',
    mk: 'makefile',
  },
  ...{
    js: 'javascript',
    mjs: 'javascript',
    cjs: 'javascript',
    jsx: 'javascript',
    json: 'json',
    jsonc: 'json',
  },
  ...{ md: 'markdown', php: 'php', py: 'python', rb: 'ruby', rs: 'rust', sql: 'sql', swift: 'swift' },
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' },
  ...{ html: 'xml', svg: 'xml', vue: 'xml', xml: 'xml', yaml: 'yaml', yml: 'yaml' },
};

/** More than this at once is left plain. */
const MAX_CHARACTERS = 60_000;

/** The language of a file by its name; null for those that stay plain. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile') return 'dockerfile';
  if (name === 'makefile') return 'makefile';
  return LANGUAGES[name.slice(name.lastIndexOf('.') + 1)] ?? null;
}

/** The lines of a text with the colours of its parts. Plain when the language is not known or the text is large. */
export function colourLines(text: string, language: string | null): readonly (readonly Coloured[])[] {
  if (language === null || text.length > MAX_CHARACTERS)
    return text.split('\n').map((line) => [{ text: line, className: '' }]);
  const lines: Coloured[][] = [[]];
  const visit = (node: Node, className: string): void => {
    if (node.type === 'text') {
      for (const [index, part] of (node.value ?? '').split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ text: part, className });
      }
      return;
    }
    const own = node.properties?.['className'];
    const name = Array.isArray(own) ? own.join(' ') : className;
    for (const child of node.children ?? []) visit(child, name);
  };
  visit(lowlight.highlight(language, text), '');
  return lines;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Node[];
}
