/** The user's rules as a source of the policy of one session. */
import path from 'node:path';
import type { Roots } from '../../core/model/roots';
import { realPathOf } from '../../util/realPath';
import { allRoots } from '../policy';
import type { CommandPart, PolicyRequest, RequestPart, Rule, RuleSource } from '../rule';
import type { CommandJudge, CommandRule, CommandVerdict } from './commandJudge';
import type { ProtectedRules } from '../protection/protectedRules';
import { fileNames } from './fileNames';
import { appliesTo, type ReadyRule, readyRule } from './matchRule';
import { protectedNames } from './protectedNames';
import { holdsIn, repositoryOf } from './repository';
import type { UserRule } from './userRule';

/** The rules of a session as they are now. A new object means that they have changed. */
export interface RulesNow {
  readonly rules: readonly UserRule[];
  /** True while a rule that may deny something cannot be read: no rule allows anything then. */
  readonly suspendsAllows: boolean;
  /** True while some rules are being checked, which a decision must wait for. */
  readonly isPending?: boolean;
}

export interface UserRuleDependencies {
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: Roots;
  rulesNow(): RulesNow;
  /** Resolves when the rules are checked. */
  settled?(): Promise<void>;
  /** Returns the rule in the user's language. */
  words(rule: UserRule): string;
  /** Loads the reader of command lines. */
  judge(): Promise<CommandJudge>;
  /** The user's protected paths as they are now. Absent: the files that a command names are not checked. */
  protectedRules?(): ProtectedRules | Promise<ProtectedRules>;
}

/** The questions that a rule of the user answers. Those about protected files are none of them. */
const ANSWERS = ['agent', 'setting'] as const;
/** The name of a part that no rule allows. */
const UNKNOWN = 'unknown';
/** The most readings of rules that change meanwhile. */
const MAX_ATTEMPTS = 10;

interface ReadyRules {
  readonly of: RulesNow;
  readonly others: readonly ReadyRule[];
  /** The ids are keys of {@link byKey}. A rule of a workspace may have the id of another rule, and must not replace it. */
  readonly commands: readonly CommandRule[];
  readonly byKey: ReadonlyMap<string, UserRule>;
}

export class UserRuleSource implements RuleSource {
  private ready: ReadyRules | undefined;
  /** The session's folder and its repository. They are looked up once: the agent could change them later. */
  private where: Promise<{ readonly cwd: string; readonly repository: string }> | undefined;
  /** The rules in the user's language. A changed rule is another object. */
  private readonly texts = new WeakMap<UserRule, string>();
  private readonly verdicts = new WeakMap<CommandPart, { readonly of: ReadyRules; readonly verdict: Promise<CommandVerdict> }>();

  constructor(private readonly deps: UserRuleDependencies) {}

  isActive(): boolean {
    const { rules, suspendsAllows, isPending } = this.deps.rulesNow();
    return rules.length > 0 || suspendsAllows || isPending === true;
  }

  /** Returns the files that the commands of the request write, and the protected files that they name. */
  async partsOf({ parts }: PolicyRequest): Promise<readonly RequestPart[]> {
    const commands = parts.filter((part) => part.kind === 'command' && part.isTitle !== true) as CommandPart[];
    const ready = commands.length > 0 ? await this.readyRules() : undefined;
    if (!ready || ready.byKey.size === 0) {
      return [];
    }
    const written = await Promise.all(
      commands.map(async (part) => {
        const { writes, names = [] } = await this.verdictOn(part, ready);
        const { roots, protectedRules } = this.deps;
        const rules = names.length > 0 ? await protectedRules?.() : undefined;
        return [
          ...(await Promise.all(writes.map(({ path: file }) => writtenPart(part, file)))),
          ...(rules ? await protectedNames(part, names, roots, rules) : []),
        ];
      }),
    );
    return written.flat();
  }

  async rulesFor({ parts }: PolicyRequest): Promise<readonly Rule[]> {
    for (let attempts = 1; ; attempts++) {
      const ready = await this.readyRules();
      const found = await this.rulesIn(ready, parts);
      // A rule may have been revoked while the parsers were loaded.
      if (this.deps.rulesNow() === ready.of || attempts === MAX_ATTEMPTS) {
        return found;
      }
    }
  }

  private async rulesIn(ready: ReadyRules, parts: PolicyRequest['parts']): Promise<readonly Rule[]> {
    const needsRoots = ready.others.length > 0 && parts.some((part) => 'path' in part);
    const roots = needsRoots ? await allRoots(this.deps.roots) : [];
    const names = fileNames(roots);
    const found: Rule[] = [];
    const mcp = parts.filter(({ kind }) => kind === 'mcp');
    for (const each of ready.others) {
      const applying = parts.filter((part) => appliesTo(each, part, names));
      const isWhole =
        each.rule.mcp !== undefined && each.rule.effect === 'allow' && mcp.length > 0 && mcp.every((part) => applying.includes(part));
      // The other parts of the request come from the tool's input, which its server interprets.
      found.push(...(isWhole ? parts : applying).map((part) => this.ruleOf(each.rule, part)));
    }
    for (const part of parts) {
      if (part.kind === 'command' && ready.commands.length > 0) {
        found.push(...(await this.commandRules(part, parts, ready)));
      }
    }
    return found;
  }

  private async commandRules(part: CommandPart, parts: readonly RequestPart[], ready: ReadyRules): Promise<readonly Rule[]> {
    const { effect, ruleIds, isDoubtful } = await this.verdictOn(part, ready);
    const strict = ready.commands.find((rule) => rule.effect !== 'allow');
    if (effect === undefined && isDoubtful && strict) {
      // The unread part may be the command that the rule is about, so the user decides.
      return [this.ruleOf({ ...ready.byKey.get(strict.id)!, effect: 'ask' }, part)];
    }
    const isCommand = part.isTitle !== true && (part.tool === undefined || part.tool === 'execute');
    const isCertain = isCommand && !isHidden(part) && (await this.isInFolders(part.cwd));
    if (effect === undefined || (effect === 'allow' && !isCertain)) {
      return [];
    }
    const [decisive] = ruleIds.map((id) => ready.byKey.get(id)).filter((rule) => rule?.effect === effect);
    const covered = parts.filter((each) => each === part || ('isInLine' in each && each.isInLine === true && each.byCommand === part));
    return decisive ? covered.map((each) => this.ruleOf(decisive, each)) : [];
  }

  /** True for a folder of the session. An agent that names none runs the command in the session's folder, or in one that it went to from there. */
  private async isInFolders(cwd: string | undefined): Promise<boolean> {
    if (cwd === undefined) {
      return true;
    }
    if (cwd === this.deps.roots.cwd || this.deps.roots.additionalDirectories.includes(cwd)) {
      // The path of the folder itself leads to the folder, whatever is there now.
      return path.isAbsolute(cwd);
    }
    const [roots, real] = await Promise.all([allRoots(this.deps.roots), realPathOf(cwd).catch(() => cwd)]);
    return path.isAbsolute(cwd) && roots.some((root) => holdsIn(root, real, ''));
  }

  private verdictOn(part: CommandPart, ready: ReadyRules): Promise<CommandVerdict> {
    const known = this.verdicts.get(part);
    if (known?.of === ready) {
      return known.verdict;
    }
    // The line shows which file runs, where its program is a path.
    const shown = { ...part, folder: this.deps.roots.cwd, ...(!isHidden(part) && { program: undefined }) };
    const verdict = this.deps.judge().then((judge) => judge.judge(shown, ready.commands));
    this.verdicts.set(part, { of: ready, verdict });
    return verdict;
  }

  private ruleOf(rule: UserRule, part: RequestPart): Rule {
    const { id, effect, message } = rule;
    return {
      id,
      effect,
      match: { part },
      reason: { code: 'rule', params: { text: this.textOf(rule), ...(message !== undefined && { message }) } },
      origin: 'rule',
      ...(effect === 'allow' && { answers: ANSWERS }),
    };
  }

  private textOf(rule: UserRule): string {
    const text = this.texts.get(rule) ?? this.deps.words(rule);
    this.texts.set(rule, text);
    return text;
  }

  /** The rules that hold for this agent in this folder. */
  private async readyRules(): Promise<ReadyRules> {
    const { roots, agentId, agentName } = this.deps;
    this.where ??= Promise.all([realPathOf(roots.cwd).catch(() => roots.cwd), repositoryOf(roots.cwd)]).then(([cwd, repository]) => ({
      cwd,
      repository,
    }));
    const { cwd, repository } = await this.where;
    await this.deps.settled?.();
    // Read after the wait, so that a rule that was revoked meanwhile is gone.
    const now = this.deps.rulesNow();
    if (this.ready?.of === now) {
      return this.ready;
    }
    const holding = now.rules.filter(
      ({ effect, agent, folder }) =>
        !(now.suspendsAllows && effect === 'allow') &&
        (agent === undefined || agent === agentId || agent === agentName) &&
        (folder === undefined || holdsIn(folder, cwd, repository) || holdsIn(folder, roots.cwd, repository)),
    );
    return (this.ready = {
      of: now,
      others: holding.filter(({ command }) => command === undefined).map(readyRule),
      commands: holding.flatMap(({ effect, command }, at) => (command === undefined ? [] : [{ id: String(at), effect, pattern: command }])),
      byKey: new Map(holding.map((rule, at) => [String(at), rule])),
    });
  }
}

/** Returns the part for a file that a command writes. No rule allows a file that is not known. */
async function writtenPart(command: CommandPart, file: string | undefined): Promise<RequestPart> {
  return file !== undefined && path.isAbsolute(file)
    ? { kind: 'write', tool: 'edit', asked: file, path: await realPathOf(file).catch(() => file), byCommand: command }
    : { kind: 'tool', tool: UNKNOWN, isTitle: true, byCommand: command };
}

/** True when another program than the line shows runs under its name. */
function isHidden({ program, argv, command }: CommandPart): boolean {
  const [word = ''] = argv ?? command.trim().split(/\s/);
  return program !== undefined && !/[\\/]/.test(word);
}
