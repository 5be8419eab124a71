/** The host's advice on a question: why it is asked, its risks, and the rules that would answer it. Computed from the request alone. */
import path from 'node:path';
import type { Advice, Risk, RuleBody, RuleScope, RuleSuggestion } from '../../../core/advice/advice';
import type { PermissionSubject } from '../../../core/model/content';
import type { Roots } from '../../../core/model/roots';
import { partsOf } from '../../../policy/agentRequests';
import { hostOf, isFile } from '../../../policy/matching';
import type { ToolNames } from '../../../policy/mcpTool';
import { allRoots } from '../../../policy/policy';
import type { CommandPart, FilePart, McpPart, RequestPart, RuleReason } from '../../../policy/rule';
import type { CommandJudge, CommandRule, CommandVerdict } from '../../../policy/rules/commandJudge';
import { ruleIdOf } from '../../../policy/rules/ruleId';
import { hasHidden, hasMisleading } from '../../../text/characters/characters';

export interface AdviceContext {
  readonly roots: Roots;
  /** The reason of the rule that asks. */
  readonly why?: RuleReason | undefined;
  readonly names?: ToolNames | undefined;
  /** The rules about commands that are in force, for the marks on the line. */
  readonly commandRules: readonly CommandRule[];
  judge(): Promise<CommandJudge>;
  /** Returns the pattern that protects a file. */
  protects(file: string, access: 'read' | 'write'): Promise<string | undefined>;
}

const SCOPES: readonly RuleScope[] = ['session', 'folder', 'always'];
/** A denial for the session alone is the agent's own answer. */
const DENY_SCOPES: readonly RuleScope[] = ['folder', 'always'];
const MAX_SUGGESTIONS = 12;
const MAX_DENIES = 6;
/** UTF-16 units of a command that a rule may deny. The user must be able to read it in the menu. */
const MAX_COMMAND = 200;
/** A question with one of these reasons is asked whatever the rules allow. */
const ALWAYS_ASKED: ReadonlySet<string> = new Set(['protected_path', 'protected_path_overwritten', 'rule', 'repetition']);

export async function adviceFor(subject: PermissionSubject, title: string, context: AdviceContext): Promise<Advice> {
  const { why, roots } = context;
  const parts = partsOf(subject, title, context.names);
  const folders = await allRoots(roots);
  const command = parts.find((part) => part.kind === 'command' && part.isTitle !== true) as CommandPart | undefined;
  const judge = command && (await context.judge());
  const verdict = command && (await judge?.judge(command, context.commandRules));
  const segments = verdict?.segments.map(({ start, end, effect }) => ({ start, end, asks: effect !== 'allow' })) ?? [];
  const risks = new Set<Risk>([
    ...(command && judge ? judge.risks(command, folders) : []),
    ...(await risksOf(parts, subject, folders, context)),
  ]);
  const isRuled = ALWAYS_ASKED.has(why?.code ?? subject.reason?.type ?? '');
  const allows = isRuled ? [] : await rulesFor(parts, command, judge, folders, context);
  const denies = await deniesFor(parts, command, judge, verdict, folders);
  const suggested = [...suggestions(allows, SCOPES, MAX_SUGGESTIONS), ...suggestions(denies, DENY_SCOPES, MAX_DENIES)];
  return {
    ...(why && { why: { code: why.code, ...(why.params && { params: why.params }) } }),
    risks: [...risks],
    ...(segments.length > 1 && { segments }),
    ...(suggested.length > 0 && { suggestions: suggested }),
  };
}

function suggestions(rules: readonly RuleBody[], scopes: readonly RuleScope[], max: number): readonly RuleSuggestion[] {
  return rules.flatMap((rule) => scopes.map((scope): RuleSuggestion => ({ id: `${ruleIdOf(rule)}-${scope}`, rule, scope }))).slice(0, max);
}

/** Returns the rules that would answer the whole request, narrowest first. Empty where no rule can. */
async function rulesFor(
  parts: readonly RequestPart[],
  command: CommandPart | undefined,
  judge: CommandJudge | undefined,
  folders: readonly string[],
  { protects }: AdviceContext,
): Promise<readonly RuleBody[]> {
  if (parts.some((part) => isUnclear(part, parts))) {
    return [];
  }
  const mcp = parts.filter((part): part is McpPart => part.kind === 'mcp');
  if (mcp.length > 0) {
    const [{ server, mcpTool, isCertain }] = mcp as [McpPart, ...McpPart[]];
    return mcp.length === 1 && isCertain && !hasHidden(server + mcpTool)
      ? [allow({ mcp: `${server}/${mcpTool}` }), allow({ mcp: server })]
      : [];
  }
  if (command) {
    const others = parts.filter((part) => part !== command && !('isInLine' in part && part.isInLine === true));
    const isAlone = others.length === 0 && (command.tool === undefined || command.tool === 'execute');
    return isAlone ? (judge?.suggest(command) ?? []).map((pattern) => allow({ command: pattern })) : [];
  }
  const files = parts.filter(isFile);
  if (files.length === parts.length) {
    return fileRules(files, folders, protects);
  }
  const [only] = parts;
  const host =
    parts.length === 1 && only?.kind === 'address' && /^https?:/i.test(only.url) && only.tool !== '' ? hostOf(only.url) : undefined;
  return host === undefined || host === '' ? [] : [allow({ host })];
}

/** Returns the rules that would deny this request and hardly another one: its command, its file, its address or its tool. */
async function deniesFor(
  parts: readonly RequestPart[],
  command: CommandPart | undefined,
  judge: CommandJudge | undefined,
  verdict: CommandVerdict | undefined,
  folders: readonly string[],
): Promise<readonly RuleBody[]> {
  if (parts.some((part) => isUnclear(part, parts))) {
    return [];
  }
  if (command && judge) {
    const asking = (verdict?.segments ?? []).filter(({ effect }) => effect !== 'allow');
    const exact = judge.suggest(command)[0];
    const candidates = exact !== undefined ? [exact] : asking.length > 1 ? asking.map(textIn(command.command)) : [command.command.trim()];
    const denies: RuleBody[] = [];
    for (const pattern of new Set(candidates)) {
      const isReadable = pattern !== '' && pattern.length <= MAX_COMMAND && !hasHidden(pattern) && !/[\r\n]/.test(pattern);
      const isValid = isReadable && judge.problemOf(pattern) === undefined;
      if (isValid && (await judge.judge(command, [{ id: 'deny', effect: 'deny', pattern }])).effect === 'deny') {
        denies.push(deny({ command: pattern }));
      }
    }
    return denies;
  }
  const [only, ...others] = parts.filter((part) => !('isTitle' in part && part.isTitle === true));
  if (!only || others.length > 0) {
    return [];
  }
  if (only.kind === 'mcp') {
    return only.isCertain && !hasHidden(only.server + only.mcpTool) ? [deny({ mcp: `${only.server}/${only.mcpTool}` })] : [];
  }
  if (isFile(only)) {
    const names = namesBelow(only.path, folders);
    const tool = only.tool ?? (only.kind === 'read' ? 'read' : 'edit');
    return names && isPlain(names) && FILE_TOOLS.has(tool) ? [deny({ tool, path: `/${names.join('/')}` })] : [];
  }
  const host = only.kind === 'address' && /^https?:/i.test(only.url) && only.tool !== '' ? hostOf(only.url) : undefined;
  return host === undefined || host === '' ? [] : [deny({ host })];
}

/** True for a part that only the title describes. The title of an MCP tool's call is no command: codex-acp calls such a call `execute`. */
function isUnclear(part: RequestPart, parts: readonly RequestPart[]): boolean {
  const isMcp = part.kind === 'command' && parts.some((each) => each.kind === 'mcp' && each.isCertain);
  return 'isTitle' in part && part.isTitle === true && !isMcp;
}

/** The kinds of tools whose rules name files in words. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['edit', 'read', 'delete', 'move']);

function textIn(line: string): (segment: { readonly start: number; readonly end: number }) => string {
  return ({ start, end }) => line.slice(start, end).trim();
}

/** Offers the files' common folder below the session's folder, and the folder at its top. */
async function fileRules(
  files: readonly FilePart[],
  folders: readonly string[],
  protects: AdviceContext['protects'],
): Promise<readonly RuleBody[]> {
  const kinds = new Set(files.map(({ kind, tool }) => tool ?? (kind === 'read' ? 'read' : 'edit')));
  const [tool = ''] = kinds;
  const names = files.map(({ path: file }) => namesBelow(file, folders));
  const [first] = names;
  // A rule for deletions would last longer than the user's memory of it.
  if (kinds.size !== 1 || (tool !== 'edit' && tool !== 'read') || !first || names.some((each) => each === undefined)) {
    return [];
  }
  const access = tool === 'edit' ? 'write' : 'read';
  if ((await Promise.all(files.map(({ path: file }) => protects(file, access)))).some((rule) => rule !== undefined)) {
    return [];
  }
  let common: readonly string[] = first.slice(0, -1);
  for (const each of names as readonly (readonly string[])[]) {
    const length = common.findIndex((name, at) => each.slice(0, -1)[at] !== name);
    common = length < 0 ? common.slice(0, Math.max(0, each.length - 1)) : common.slice(0, length);
  }
  if (common.length === 0) {
    return files.length === 1 && isPlain(first) ? [allow({ tool, path: `/${first.join('/')}` })] : [];
  }
  const patterns = new Set([common, common.slice(0, 1)].filter(isPlain).map((each) => `/${each.join('/')}`));
  return [...patterns].map((pattern) => allow({ tool, path: pattern }));
}

/** False for names that a pattern would read otherwise. */
function isPlain(names: readonly string[]): boolean {
  return names.every((name) => !/[*?\\]/.test(name) && name.trim() === name && !hasHidden(name));
}

function allow(subject: Omit<RuleBody, 'effect'>): RuleBody {
  return { effect: 'allow', ...subject };
}

function deny(subject: Omit<RuleBody, 'effect'>): RuleBody {
  return { effect: 'deny', ...subject };
}

async function risksOf(
  parts: readonly RequestPart[],
  { content = [] }: PermissionSubject,
  folders: readonly string[],
  { protects }: AdviceContext,
): Promise<readonly Risk[]> {
  const files = parts.filter(isFile);
  const written = files.filter(({ kind }) => kind === 'write');
  const isProtected = (await Promise.all(written.map(({ path: file }) => protects(file, 'write')))).some((rule) => rule !== undefined);
  const deletes = content.some((each) => each.type === 'diff' && each.changes.some(({ operation }) => operation === 'delete'));
  const texts = parts.map((part) => ('command' in part ? part.command : 'url' in part ? part.url : 'path' in part ? part.asked : ''));
  return [
    ...(files.some(({ path: file }) => isOutside(file, folders)) ? (['outside_folders'] as const) : []),
    ...(deletes || parts.some(({ tool }) => tool === 'delete') ? (['deletes'] as const) : []),
    ...(parts.some((part) => part.kind === 'address' || part.tool === 'fetch') ? (['network'] as const) : []),
    ...(isProtected ? (['writes_protected'] as const) : []),
    ...(texts.some(hasMisleading) ? (['hidden_text'] as const) : []),
  ];
}

/** True for a file in none of the folders. Agents name files of the first one, and that folder itself, by relative paths too. */
function isOutside(file: string, folders: readonly string[]): boolean {
  const named = path.resolve(folders[0] ?? '/', file);
  return !folders.includes(named) && namesBelow(named, folders) === undefined;
}

/** Returns the names below the folder that contains the file. Undefined for a file in none, and for a folder itself. */
function namesBelow(file: string, folders: readonly string[]): readonly string[] | undefined {
  const inside = folders
    .map((folder) => path.relative(folder, path.normalize(file)))
    .find((each) => each !== '' && each !== '..' && !each.startsWith(`..${path.sep}`) && !path.isAbsolute(each));
  return path.isAbsolute(file) ? inside?.split(path.sep) : undefined;
}
