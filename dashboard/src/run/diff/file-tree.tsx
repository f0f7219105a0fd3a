import type { FileDiff } from './parse-patch.ts';

interface FileTreeProps {
  readonly files: readonly FileDiff[];
  onChoose(path: string): void;
}

interface Folder {
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly files: FileDiff[];
}

/** The changed files in their folders. */
export function FileTree({ files, onChoose }: FileTreeProps) {
  return (
    <nav className="tree" aria-label="Changed files">
      <FolderList folder={gather(files)} onChoose={onChoose} />
    </nav>
  );
}

function FolderList({ folder, onChoose }: { folder: Folder; onChoose(path: string): void }) {
  return (
    <ul>
      {[...folder.folders.values()].map((inner) => (
        <li key={inner.name}>
          <details open>
            <summary>
              <bdi>{inner.name}</bdi>
            </summary>
            <FolderList folder={inner} onChoose={onChoose} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.path}>
          <button type="button" className="tree-file" title={file.path} onClick={() => onChoose(file.path)}>
            <bdi className={`tree-name tree-${file.status}`}>
              {file.path.slice(file.path.lastIndexOf('/') + 1)}
            </bdi>
            <span className="tree-count">
              {file.added > 0 && <span className="count-added">+{file.added}</span>}{' '}
              {file.removed > 0 && <span className="count-removed">−{file.removed}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Folders that hold one folder and nothing else are one row. */
function gather(files: readonly FileDiff[]): Folder {
  const root: Folder = { name: '', folders: new Map(), files: [] };
  for (const file of files) {
    const parts = file.path.split('/').slice(0, -1);
    let folder = root;
    for (const part of parts) {
      const inner = folder.folders.get(part) ?? { name: part, folders: new Map(), files: [] };
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.push(file);
  }
  return shorten(root);
}

function shorten(folder: Folder): Folder {
  const folders = new Map([...folder.folders].map(([name, inner]) => [name, shorten(inner)]));
  const [only] = folders.values();
  if (folder.name !== '' && folder.files.length === 0 && folders.size === 1 && only !== undefined)
    return { ...only, name: `${folder.name}/${only.name}` };
  return { ...folder, folders };
}
