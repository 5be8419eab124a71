/** An empty repository for a test, created without a process if possible: hundreds of tests start with one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes an existing folder the root of a repository on the branch `main`, with an identity. */
export function initRepository(folder: string, { name, email }: { readonly name: string; readonly email: string }): void {
  const at = (file: string): string => path.join(folder, '.git', file);
  const identity = `[user]\n\tname = ${name}\n\temail = ${email}\n`;
  if (process.platform !== 'linux') {
    // Git itself detects the abilities of the file system.
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    writeFileSync(at('config'), identity, { flag: 'a' });
    return;
  }
  ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'hooks', 'info'].forEach((each) => mkdirSync(at(each), { recursive: true }));
  const core = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';
  writeFileSync(at('HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(at('config'), core + identity);
}
