/** The rules for protected paths: reading and writing such a file needs the user's consent. */
import type { FilePart, Rule, RuleSource } from './rule';
import { isFile } from './matching';
import type { ProtectedPaths } from './protection/protectedPaths';

/** @param pathsNow the user's rules as they are now */
export function protectedPathSource(pathsNow: () => ProtectedPaths | Promise<ProtectedPaths>): RuleSource {
  return {
    rulesFor: async ({ parts }) => {
      const files = parts.filter((part) => isFile(part) && part.kind !== 'change') as FilePart[];
      const paths = files.length > 0 ? await pathsNow() : undefined;
      const rules = await Promise.all(files.map((file) => ruleFor(file, paths!)));
      return rules.filter((rule) => rule !== undefined);
    },
  };
}

/** A write over a file that only a rule for reading protects needs consent too, because its text would be lost. A new file needs none. */
async function ruleFor(file: FilePart, paths: ProtectedPaths): Promise<Rule | undefined> {
  const { kind, asked, path } = file;
  const found = await paths.ruleFor(asked, path, kind === 'write' ? 'write' : 'read');
  if (found !== undefined || kind !== 'write') {
    return found === undefined ? undefined : rule(file, found, 'protected_path');
  }
  const readRule = await paths.ruleFor(asked, path, 'read');
  const isNew = readRule !== undefined && (await file.present?.()) === null;
  return readRule === undefined || isNew ? undefined : rule(file, readRule, 'protected_path_overwritten');
}

function rule({ kind, asked, path }: FilePart, pattern: string, code: 'protected_path' | 'protected_path_overwritten'): Rule {
  return {
    id: `${kind}:${pattern}`,
    effect: 'ask',
    match: { kinds: [kind], file: path },
    reason: { code, params: { rule: pattern, path: asked } },
    origin: 'protected_path',
  };
}
