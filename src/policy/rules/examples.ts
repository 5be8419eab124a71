/** Compares a rule with its own examples, so that a rule that does not do what its author means is found before it matters. */
import type { CommandPart, RequestPart } from '../rule';
import type { CommandJudge } from './commandJudge';
import { fileNames } from './fileNames';
import { appliesTo, readyRule } from './matchRule';
import type { RuleProblem } from './parseRules';
import type { UserRule } from './userRule';

/** The folder that relative examples are in. */
const FOLDER = process.platform === 'win32' ? 'C:\\folder' : '/folder';

/** Resolves to the first mistake. @param judge loads the reader of command lines */
export async function exampleProblem(rule: UserRule, judge: () => Promise<CommandJudge>): Promise<RuleProblem | undefined> {
  const { match = [], notMatch = [] } = rule;
  if (match.length + notMatch.length === 0) {
    return undefined;
  }
  const matches = rule.command === undefined ? (text: string) => matchesText(rule, text) : await commandMatcher(rule, await judge());
  for (const example of match) {
    if (!(await matches(example))) {
      return { code: 'match', detail: example };
    }
  }
  for (const example of notMatch) {
    if (await matches(example)) {
      return { code: 'not_match', detail: example };
    }
  }
  return undefined;
}

async function commandMatcher({ id, effect, command }: UserRule, judge: CommandJudge): Promise<(line: string) => Promise<boolean>> {
  return async (line) => {
    const part: CommandPart = { kind: 'command', command: line, cwd: FOLDER };
    return (await judge.judge(part, [{ id, effect, pattern: command! }])).effect === effect;
  };
}

/** @param text a path, an address, `server/tool`, or a kind of tool */
function matchesText(rule: UserRule, text: string): boolean {
  return partsOf(rule, text).some((part) => appliesTo(readyRule(rule), part, fileNames([FOLDER])));
}

function partsOf({ path, host, mcp, tool }: UserRule, text: string): readonly RequestPart[] {
  if (path !== undefined) {
    const file = /^(?:[\\/]|[A-Za-z]:)/.test(text) ? text : `${FOLDER}/${text}`;
    return (['read', 'write'] as const).map((kind) => ({ kind, ...(tool !== undefined && { tool }), asked: file, path: file }));
  }
  if (host !== undefined) {
    return [{ kind: 'address', url: text.includes('://') ? text : `https://${text}/` }];
  }
  if (mcp !== undefined) {
    const [server = '', mcpTool = ''] = text.split('/');
    return [{ kind: 'mcp', server, mcpTool, isCertain: true }];
  }
  // The request is about a file, because a permission for a tool that works on files needs one.
  return [{ kind: 'write', tool: text, asked: `${FOLDER}/file`, path: `${FOLDER}/file` }];
}
