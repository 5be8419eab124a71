/** Input boxes for the values of MCP servers. */
import type { PlannedServer } from '../../application/mcp/userServers';
import type { ServerInputs } from '../../application/mcp/serverInputs';
import { type InertText, inertLine } from '../../application/shared/escape';
import type { InputDefinition } from '../../mcp/config/serverDefinition';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 500;

/** Asks for each missing value once, and keeps it. A closed box ends the questions. Returns false when a value could not be kept. */
export async function askInputs(
  servers: readonly PlannedServer[],
  inputs: Pick<ServerInputs, 'keep'>,
  activity: Pick<UserActivity, 'during'>,
): Promise<boolean> {
  const asked = new Set<string>();
  let isKept = true;
  for (const { name, source, inputs: missing = [] } of servers) {
    for (const input of missing) {
      const key = `${source.id}\n${input.id}`;
      if (asked.has(key)) {
        continue;
      }
      asked.add(key);
      const title = t('MCP Server {name} ({file})', { name: inertLine(name, MAX_NAME), file: inertLine(source.label, MAX_NAME) });
      const value = await activity.during(() => ask(title, input));
      if (value === undefined) {
        return isKept;
      }
      isKept = (await inputs.keep({ sourceId: source.id, id: input.id }, value)) && isKept;
    }
  }
  return isKept;
}

async function ask(
  title: InertText,
  { type, description, id, isPassword, initial, options }: InputDefinition,
): Promise<string | undefined> {
  const prompt = inertLine(description || id, MAX_DESCRIPTION);
  if (type === 'pickString') {
    const rows = options.map((option) => ({ label: inertLine(option, MAX_DESCRIPTION), option }));
    return (await window.showQuickPick(rows, { title, placeHolder: prompt }))?.option;
  }
  return window.showInputBox({ title, prompt, password: isPassword, value: initial, ignoreFocusOut: true });
}
