/** The rows of the sandbox's modes in a quick pick, which cuts each line after about 80 characters. Pure. */
import type { SandboxMode } from '../../core/sandbox/sandbox';
import { inertLine, type InertText, joined } from '../shared/escape';
import type { Translate } from '../shared/translate';

export interface SandboxRow {
  readonly mode: SandboxMode;
  readonly label: InertText;
  readonly description?: InertText;
  /** The work that stays outside of the sandbox, or a consequence. */
  readonly detail: InertText;
}

/** The most characters of an agent's name that leave room for the sentence around it. */
const MAX_NAME = 24;

export function sandboxRows(current: SandboxMode, name: string, t: Translate): readonly SandboxRow[] {
  const agent = inertLine(name, MAX_NAME);
  const row = (mode: SandboxMode, label: InertText, scope: InertText | undefined, detail: InertText): SandboxRow => {
    const description = [scope ?? [], mode === current ? t('current') : []].flat();
    return { mode, label, ...(description.length > 0 && { description: joined(description, ' · ') }), detail };
  };
  return [
    row('off', t('Off'), undefined, t('{agent} and its commands can do what you can do.', { agent })),
    row(
      'commands',
      t('Commands'),
      t('those that run through VS Code'),
      t('Not {agent} itself, nor the commands that it starts.', { agent }),
    ),
    row('agent', t('Agent'), t('and everything that it starts'), t('Restarts {agent} in a process of its own.', { agent })),
  ];
}
