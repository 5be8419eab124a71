/** Finds in the output of a program what the sandbox refused. Pure. */
import type { SandboxRefusal } from '../core/sandbox/sandbox';
import { accessTo, type SandboxPlan } from './plan/plan';

/** The system's words for a write into a read-only place. */
const READ_ONLY = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b|operation not permitted|\bEPERM\b/i;
const DENIED = /permission denied|\bEACCES\b|operation not permitted|\bEPERM\b/i;
/** A path in quotes, or up to a colon, a comma or a space. */
const PATHS = /'([^'\n]{1,1000})'|"([^"\n]{1,1000})"|((?:~|\.{1,2})?\/[^\s:,;'"()]{1,1000})|(?<=: )([\w.-][\w./-]{0,500})(?=: )/g;
const MAX_LINES = 2000;
const MAX_REFUSALS = 8;

export interface RefusalContext {
  readonly plan: SandboxPlan;
  readonly cwd: string;
  readonly home: string;
}

/** Returns the paths of failed accesses in `output`. Only those count that the plan refuses, because other causes have the same words. */
export function refusalsIn(output: string, { plan, cwd, home }: RefusalContext): readonly SandboxRefusal[] {
  const found = new Map<string, SandboxRefusal>();
  for (const line of output.split('\n', MAX_LINES)) {
    const isWrite = READ_ONLY.test(line);
    if (!isWrite && !DENIED.test(line)) {
      continue;
    }
    const refused = [...line.matchAll(PATHS)].flatMap((match): (SandboxRefusal & { readonly isFirst: boolean })[] => {
      const [, single, double, plain, relative] = match;
      const path = absolute(single ?? double ?? plain ?? relative ?? '', cwd, home);
      const access = accessTo(path, plan);
      const isFirst = match.index === 0;
      // A hidden place cannot be allowed by a click, whatever the access was.
      if (access === 'none' || access === 'empty') {
        return [{ kind: 'read', target: path, isFirst }];
      }
      return isWrite && access !== 'write' && access !== 'private' ? [{ kind: 'write', target: path, isFirst }] : [];
    });
    // A program that names itself does so at the start of the line.
    const [only] = refused;
    for (const { kind, target, isFirst } of refused) {
      if (!isFirst || only === refused.at(-1)) {
        found.set(target, { kind, target });
      }
    }
  }
  return [...found.values()].slice(0, MAX_REFUSALS);
}

function absolute(text: string, cwd: string, home: string): string {
  const start = text.startsWith('~/') ? home + text.slice(1) : text.startsWith('/') ? text : `${cwd}/${text}`;
  const parts: string[] = [];
  for (const part of start.split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return `/${parts.join('/')}`;
}
