/** The id of a rule that was written without one: a digest of its content, so that it stays the same in every window. */
import { createHash } from 'node:crypto';
import type { UserRule } from './userRule';

const LENGTH = 10;
/** The members that say what the rule does. Its message and examples may change without making it another rule. */
const MEMBERS = ['effect', 'agent', 'tool', 'path', 'command', 'mcp', 'host', 'folder'] as const;

export function ruleIdOf(rule: Omit<UserRule, 'id'>): string {
  const content = JSON.stringify(MEMBERS.map((name) => rule[name] ?? null));
  return createHash('sha256').update(content).digest('hex').slice(0, LENGTH);
}
