/** The rules of a session's permission mode. Loaded with the first mode other than Ask. */
import { isAbsolute, relative, sep } from 'node:path';
import type { PermissionMode } from '../../core/modes/permissionMode';
import type { Roots } from '../../core/model/roots';
import { realPathOf } from '../../util/realPath';
import { isFile, isOfProcess } from '../matching';
import type { FilePart, PolicyRequest, Rule, RuleMatch } from '../rule';

/** The origins of questions that a mode answers. The user's own rules, protected paths and repetitions still ask. */
const ANSWERS: Rule['answers'] = ['agent', 'setting'];

/** Kinds of tools that change files or run something. */
const ACTING = ['edit', 'delete', 'move', 'execute'] as const;

/**
 * The text for the model about a refused write or command. It is not a message of the next prompt, in which the mode may be another one.
 */
const PLAN_ONLY = { text: 'Plan only. Do not edit files and do not run commands: describe what you would do instead.' };

/** Returns the rules of `mode` for a request. */
export async function rulesOfMode(mode: PermissionMode, { parts }: PolicyRequest, roots: Roots): Promise<readonly Rule[]> {
  switch (mode) {
    case 'ask':
      return [];
    case 'planOnly':
      return [denial({ kinds: ['write', 'change', 'command'] }), ...ACTING.map((tool) => denial({ tool }))];
    case 'allowEverything':
      // A plan is not a permission: the user reads it.
      return parts.some((part) => part.tool === 'switch_mode')
        ? []
        : [
            {
              id: 'mode/allowEverything',
              effect: 'allow',
              match: {},
              reason: { code: 'mode_allow_everything' },
              origin: 'mode',
              answers: ANSWERS,
            },
          ];
    case 'acceptEdits': {
      const files = parts.filter((part): part is FilePart => isFile(part) && isEdit(part));
      const inside = await Promise.all(files.map((file) => isBelow(file, roots)));
      return files.filter((_, at) => inside[at]).map(edit);
    }
  }
}

/** True for a change of a file. An agent that deletes or moves files asks. */
function isEdit({ kind, tool }: FilePart): boolean {
  return (kind === 'write' || kind === 'change') && (tool === undefined || tool === '' || tool === 'edit');
}

/** True when the real path is in one of the session's folders. A path that cannot be resolved is not. */
async function isBelow({ asked, path }: FilePart, { cwd, additionalDirectories }: Roots): Promise<boolean> {
  // Below `/proc/self`, this process is in another folder than the agent.
  if (!isAbsolute(asked) || !isAbsolute(path) || isOfProcess(asked)) {
    return false;
  }
  const real = await realPathOf(path).catch(() => undefined);
  const roots = await Promise.all([cwd, ...additionalDirectories].map((root) => realPathOf(root).catch(() => undefined)));
  return real !== undefined && roots.some((root) => root !== undefined && isInside(relative(root, real)));
}

function isInside(below: string): boolean {
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The rule is for this part alone: the request may also delete the same file under another name. */
function edit(part: FilePart): Rule {
  return {
    id: 'mode/acceptEdits',
    effect: 'allow',
    match: { part },
    reason: { code: 'mode_accept_edits' },
    origin: 'mode',
    answers: ANSWERS,
  };
}

function denial(match: RuleMatch): Rule {
  return { id: 'mode/planOnly', effect: 'deny', match, reason: { code: 'mode_plan_only', params: PLAN_ONLY }, origin: 'mode' };
}
