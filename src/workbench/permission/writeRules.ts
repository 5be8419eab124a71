/** The user's rules for protected files, as a quick pick names them. By name alone: a write by another name is asked about separately. */
import path from 'node:path';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import { readProtectedPaths } from '../settings/agentSettings';
import type { RuleOf } from '../../application/permission/permissionSummary';

/** @param cwd the session's folder: what lies above it does not count */
export function writeRuleOf(cwd: string): RuleOf {
  const rules = new ProtectedRules(readProtectedPaths());
  return (file) => {
    const below = path.relative(cwd, file);
    const isOutside = below.startsWith('..') || path.isAbsolute(below);
    return rules.ruleFor((isOutside ? path.normalize(file) : below).split(/[\\/]+/).filter(Boolean), 'write');
  };
}
