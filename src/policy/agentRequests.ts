/** The parts of an agent's own permission request, and the rule that the user answers it. Pure. */
import { isAbsolute } from 'node:path';
import { commandIn, cwdIn } from '../core/approval/command';
import type { FileChange, PermissionSubject } from '../core/model/content';
import type { CommandPart, RequestPart, Rule, RuleSource } from './rule';
import { mcpToolsOf, type ToolNames } from './mcpTool';

const ASKS: Rule = { id: 'agent', effect: 'ask', match: {}, reason: { code: 'agent_request' }, origin: 'agent' };

/** The agent itself asks, so the user answers unless another rule decides. */
export const agentRequestSource: RuleSource = { rulesFor: () => [ASKS] };

const WRITING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
const FILE_TOOLS: ReadonlySet<string> = new Set(['read', ...WRITING]);
/** The members of a tool's input that name its file. */
const FILE_MEMBERS = ['file_path', 'filePath', 'path', 'abs_path', 'absolute_path', 'absolutePath', 'notebook_path', 'target_file'];
/** Members with which an agent's own sandbox is left. A rule about the command must not grant that. */
const UNCONFINED: readonly (readonly [member: string, value: unknown])[] = [
  ['dangerouslyDisableSandbox', true],
  ['with_escalated_permissions', true],
  ['sandbox_permissions', 'require_escalated'],
];

/**
 * Returns the parts of a request as the agent describes it: its command, its files and its address, or else the tool. ACP Host cannot check the
 * description.
 * @param title the request's title
 */
export function partsOf(subject: PermissionSubject, title: string, names: ToolNames = {}): readonly [RequestPart, ...RequestPart[]] {
  const { kind, content = [], locations = [], rawInput, environment, program } = subject;
  // A tool of no known kind is none of the tools that a rule may name.
  const tool = kind ?? '';
  const words = argumentsIn(rawInput);
  const command = subject.command ?? commandIn(rawInput);
  const changes = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  const written = changes.flatMap(pathsOf);
  // A request to edit may contain a deletion or a move, which a permission to edit does not cover.
  const removed = new Set(changes.filter(({ operation }) => operation === 'delete').flatMap(pathsOf));
  const moved = new Set(changes.filter(isMove).flatMap(pathsOf));
  const toolOf = (path: string): string => (removed.has(path) ? 'delete' : moved.has(path) ? 'move' : tool);
  const access = kind !== undefined && WRITING.has(kind) ? 'write' : 'read';
  const cwd = subject.cwd ?? cwdIn(rawInput);
  // Some agents name the folder of a command as a location.
  const located = locations.map(({ path }) => path).filter((path) => !written.includes(path) && !(command !== undefined && path === cwd));
  // The tool works on the file in its input, which the request may not show.
  const hidden =
    kind !== undefined && FILE_TOOLS.has(kind) ? filesIn(rawInput).filter((path) => ![...written, ...located].includes(path)) : [];
  const url = addressIn(rawInput);
  const argv = subject.command === undefined ? words : undefined;
  const run: CommandPart | undefined =
    command === undefined ? undefined : { kind: 'command', tool, command, argv, cwd, environment, program };
  const [first, ...more]: RequestPart[] = [
    ...mcpToolsOf({ ...names, rawInput }).map(({ server, tool: mcpTool, certain }) => ({
      kind: 'mcp' as const,
      tool,
      server,
      mcpTool,
      isCertain: certain,
    })),
    ...(run ? [run] : []),
    ...(command === undefined && kind === 'execute' && title !== ''
      ? [{ kind: 'command' as const, tool, command: title, isTitle: true }]
      : []),
    ...written.map((path) => ({ kind: 'write' as const, tool: toolOf(path), asked: path, path })),
    // A command may write the files that it is about.
    ...located.map(
      (path): RequestPart =>
        run && kind === 'execute'
          ? { kind: 'write', tool, asked: path, path, byCommand: run, isInLine: true }
          : { kind: access, tool, asked: path, path },
    ),
    ...hidden.map((path): RequestPart => ({ kind: access, tool, asked: path, path })),
    ...(url === undefined ? [] : [{ kind: 'address' as const, tool, url }]),
    ...(grantsMore(subject) || (hidden.length > 0 && written.length + located.length === 0)
      ? [{ kind: 'tool' as const, tool, isTitle: true }]
      : []),
  ];
  return first ? [first, ...more] : [{ kind: 'tool', tool: kind ?? title, ...(kind === undefined && { isTitle: true }) }];
}

function pathsOf({ path, oldPath }: FileChange): readonly string[] {
  return [path, ...(oldPath === undefined ? [] : [oldPath])];
}

/** True for a change that takes a file away from its place. An unknown operation with an earlier path may be one. */
function isMove({ operation, oldPath }: FileChange): boolean {
  return operation === 'move' || (oldPath !== undefined && operation !== 'copy');
}

/**
 * True when the request is about more than its command and its files. codex-acp asks for access to the network and for further permissions with the command that
 * needs them. A rule about the command must not grant those.
 */
function grantsMore({ kind, rawInput, content = [] }: PermissionSubject): boolean {
  const fields = fieldsOf(rawInput);
  const { additionalPermissions, permissions } = fields;
  const isProfile = typeof permissions === 'object' && permissions !== null;
  const texts = content.flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? each.content.text : []));
  // The files of a diff that cannot be read are not known.
  const isUnread = content.some((each) => each.type === 'diff' && (each.changes.length === 0 || 'malformed' in each));
  return (
    isUnread ||
    isProfile ||
    UNCONFINED.some(([member, value]) => fields[member] === value) ||
    additionalPermissions !== undefined ||
    (kind === 'execute' && texts.some((text) => /^[\w-]+ access to \S+$/.test(text.trim())))
  );
}

function argumentsIn(rawInput: unknown): readonly string[] | undefined {
  const { command, args } = fieldsOf(rawInput);
  const words: unknown = Array.isArray(command)
    ? command
    : typeof command === 'string' && Array.isArray(args)
      ? [command, ...(args as unknown[])]
      : [];
  return Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string') ? words : undefined;
}

/** Returns the absolute paths. A relative one depends on the folder in which the agent is. */
function filesIn(rawInput: unknown): readonly string[] {
  const fields = fieldsOf(rawInput);
  const paths = FILE_MEMBERS.map((name) => fields[name]).filter((value) => typeof value === 'string' && isAbsolute(value));
  return [...new Set(paths as string[])];
}

function addressIn(rawInput: unknown): string | undefined {
  const { url } = fieldsOf(rawInput);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
