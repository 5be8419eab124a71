/** The parts of an agent's own permission request, and the rule that the user answers it. Pure. */
import { commandIn, cwdIn } from '../core/approval/command';
import type { PermissionSubject } from '../core/model/content';
import type { RequestPart, Rule, RuleSource } from './rule';

const ASKS: Rule = { id: 'agent', effect: 'ask', match: {}, reason: { code: 'agent_request' }, origin: 'agent' };

/** The agent itself asks, so the user answers unless another rule decides. */
export const agentRequestSource: RuleSource = { rulesFor: () => [ASKS] };

const WRITING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/**
 * Returns the parts of a request as the agent describes it: its command, its files and its address, or else the tool. ACP Host cannot check the
 * description.
 * @param title the request's title
 */
export function partsOf(subject: PermissionSubject, title: string): readonly [RequestPart, ...RequestPart[]] {
  const { kind, content = [], locations = [], rawInput, environment } = subject;
  const tool = kind ?? title;
  const command = subject.command ?? commandIn(rawInput);
  const changes = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  const written = changes.flatMap(({ path, oldPath }) => [path, ...(oldPath === undefined ? [] : [oldPath])]);
  // A request to edit may contain a deletion, which a permission to edit does not cover.
  const removed = new Set(changes.filter(({ operation }) => operation === 'delete').map(({ path }) => path));
  const access = kind !== undefined && WRITING.has(kind) ? 'write' : 'read';
  const located = locations.map(({ path }) => path).filter((path) => !written.includes(path));
  const url = addressIn(rawInput);
  const [first, ...more]: RequestPart[] = [
    ...(command === undefined ? [] : [{ kind: 'command' as const, tool, command, cwd: subject.cwd ?? cwdIn(rawInput), environment }]),
    ...written.map((path) => ({ kind: 'write' as const, tool: removed.has(path) ? 'delete' : tool, asked: path, path })),
    ...located.map((path) => ({ kind: access, tool, asked: path, path }) as const),
    ...(url === undefined ? [] : [{ kind: 'address' as const, tool, url }]),
  ];
  return first ? [first, ...more] : [{ kind: 'tool', tool }];
}

function addressIn(rawInput: unknown): string | undefined {
  const { url } = typeof rawInput === 'object' && rawInput !== null ? (rawInput as Readonly<Record<string, unknown>>) : {};
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}
