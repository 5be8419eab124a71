/** Servers of a workspace as text for the question: everything that the user agrees to, with hidden characters made visible. */
import { variablesIn } from '../../mcp/config/envFile';
import { canonical, isPlainObject, type Plain } from '../../mcp/config/plainJson';
import { displayCommand } from '../../util/commandLine';
import { type InertText, inertLine, joined } from '../shared/escape';
import type { Translate } from '../shared/translate';
import type { PlannedServer } from './userServers';

/** UTF-16 units of one question. A modal dialog of VS Code does not scroll. */
const MAX_QUESTION = 1500;

/** Groups servers, so that each question can be read as a whole. */
export function questionsFor(
  servers: readonly PlannedServer[],
  t: Translate,
): { readonly servers: PlannedServer[]; readonly text: InertText }[] {
  const questions: { servers: PlannedServer[]; text: InertText }[] = [];
  for (const server of servers) {
    const text = consentText(server, t);
    const last = questions.at(-1);
    if (last && last.text.length + text.length < MAX_QUESTION) {
      last.servers.push(server);
      last.text = joined([last.text, text], '\n\n');
    } else {
      questions.push({ servers: [server], text });
    }
  }
  return questions;
}

/** All members of a server, the command line first. Nothing is cut. */
export function consentText({ name, source, written, changed, subject }: PlannedServer, t: Translate): InertText {
  const { raw, definition } = written;
  const members: Readonly<Record<string, Plain>> = isPlainObject(raw) ? raw : {};
  const isCommand = definition?.type === 'stdio';
  const shown = new Set(isCommand ? ['command', 'args', 'type'] : ['type', 'url']);
  const lines: InertText[] = [
    t('{name} in {file}', { name, file: source.label }),
    inertLine(
      isCommand
        ? displayCommand(definition.command, definition.args)
        : `${definition?.type ?? ''} ${definition && 'url' in definition ? definition.url : ''}`,
    ),
    ...Object.entries(members)
      .filter(([member]) => !shown.has(member))
      .map(([member, value]) => inertLine(`${member}: ${canonical(value)}`)),
  ];
  if (subject?.envFile) {
    lines.push(t('Variables of its file: {names}', { names: variablesIn(subject.envFile).join(', ') }));
  }
  if (changed && changed.length > 0) {
    lines.push(t('Changed since you allowed it: {members}', { members: changed.join(', ') }));
  }
  return joined(lines, '\n');
}
