/** Decides whether a rule of the user applies to one part of a request. Commands are judged elsewhere, by all rules at once. Pure. */
import path from 'node:path';
import { namesBelow } from '../protection/namesBelow';
import { hostOf, isFile, matchesPath } from '../matching';
import type { FilePart, McpPart, RequestPart } from '../rule';
import { type ExactPattern, exactPattern, matchesExactly } from './exactPattern';
import type { UserRule } from './userRule';

/** A rule with its pattern parsed. */
export interface ReadyRule {
  readonly rule: UserRule;
  readonly pattern: ExactPattern | undefined;
}

export function readyRule(rule: UserRule): ReadyRule {
  return { rule, pattern: rule.path === undefined ? undefined : exactPattern(rule.path) };
}

/** The kind of tool of a request that the agent makes through ACP Host. */
const TOOLS: Readonly<Record<RequestPart['kind'], string | undefined>> = {
  read: 'read',
  write: 'edit',
  change: 'edit',
  send: undefined,
  command: 'execute',
  address: 'fetch',
  tool: undefined,
  mcp: undefined,
};
/** Tools that work on files. A permission for one needs to know the file. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['read', 'edit', 'delete', 'move']);
/** The kinds of tools whose address is what they fetch. */
const ADDRESS_TOOLS: ReadonlySet<string> = new Set(['fetch', 'execute']);

/** @param roots the folders of the session, as named and by their real paths */
export function appliesTo({ rule, pattern }: ReadyRule, part: RequestPart, roots: readonly string[]): boolean {
  if (rule.command !== undefined || part.kind === 'send') {
    return false;
  }
  const isAllowed = rule.effect === 'allow';
  return (
    (rule.tool === undefined || hasTool(part, rule.tool)) &&
    (rule.path === undefined || (isFile(part) && (isAllowed || matchesPath(rule.path, part, roots, rule.effect)))) &&
    (rule.host === undefined ||
      (part.kind === 'address' && hasHost(part.url, rule.host) && (!isAllowed || isFetched(part.url, part.tool)))) &&
    (rule.mcp === undefined || (part.kind === 'mcp' && isMcp(rule.mcp, part, isAllowed))) &&
    (!isAllowed || isPermitted(rule, pattern, part, roots))
  );
}

function hasTool(part: RequestPart, tool: string): boolean {
  if (part.kind === 'tool') {
    return part.isTitle !== true && part.tool === tool;
  }
  const named = part.tool ?? TOOLS[part.kind];
  // A command may write any file. Its writes belong to the tool that runs it, too.
  return named === tool || (part.byCommand !== undefined && tool === (part.byCommand.tool ?? TOOLS.command));
}

/** The further conditions of a permission. */
function isPermitted(rule: UserRule, pattern: ExactPattern | undefined, part: RequestPart, roots: readonly string[]): boolean {
  if (isFile(part)) {
    const isOfCommand = part.byCommand !== undefined && rule.tool === (part.byCommand.tool ?? TOOLS.command);
    return isOfCommand || isInFolders(part, pattern, roots);
  }
  switch (part.kind) {
    case 'mcp':
      return rule.mcp !== undefined;
    case 'tool':
      return rule.tool !== undefined && !FILE_TOOLS.has(part.tool);
    case 'command':
      // Without a command of its own the rule names the tool. A title is not the command.
      return rule.tool !== undefined;
    default:
      return true;
  }
}

/** A permission covers only files in the session's folders, by all their names. */
function isInFolders({ asked, path: real }: FilePart, pattern: ExactPattern | undefined, roots: readonly string[]): boolean {
  return [asked, real].every((file) => {
    const names = path.isAbsolute(file) ? namesInFolders(path.normalize(file), roots) : [];
    return names.length > 0 && (pattern === undefined || names.some((each) => matchesExactly(pattern, each)));
  });
}

function namesInFolders(file: string, roots: readonly string[]): readonly (readonly string[])[] {
  const isInside = roots.some((root) => {
    const inside = path.relative(root, file);
    return inside !== '' && inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
  });
  return isInside ? namesBelow(file, roots) : [];
}

function hasHost(url: string, host: string): boolean {
  const name = hostOf(url)?.replace(/\.$/, '');
  const isBelow = host.startsWith('*.');
  const wanted = hostOf(`https://${isBelow ? host.slice(2) : host}/`);
  return name !== undefined && wanted !== undefined && (isBelow ? name.endsWith(`.${wanted}`) : name === wanted);
}

/** False for an address that programs read in different ways, and for a tool that may use its address for something else. */
function isFetched(url: string, tool: string | undefined): boolean {
  return /^https?:\/\/[^\\@\s\p{C}]+$/iu.test(url) && (tool === undefined || ADDRESS_TOOLS.has(tool));
}

function isMcp(mcp: string, { server, mcpTool, isCertain }: McpPart, isAllowed: boolean): boolean {
  const [wantedServer, wantedTool] = mcp.split('/');
  return (isCertain || !isAllowed) && server === wantedServer && (wantedTool === undefined || wantedTool === '*' || mcpTool === wantedTool);
}
