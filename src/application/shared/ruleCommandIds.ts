/** Commands of the list of permission rules, registered from package.json. Their actions are loaded with the first of them. */
const ruleCommandNames = [
  'showPermissionRules',
  'openRuleSettings',
  'revokeRule',
  'confirmRule',
  'allowDenied',
  'denyDenied',
  'denyDeniedEverywhere',
  'showDenyingRule',
] as const;
export type RuleCommandName = (typeof ruleCommandNames)[number];
/** Ids by the name used in code. */
export const ruleCommands = Object.fromEntries(ruleCommandNames.map((name) => [name, `acpHost.${name}`])) as {
  readonly [Name in RuleCommandName]: `acpHost.${Name}`;
};

export function isRuleCommand(name: string): name is RuleCommandName {
  return name in ruleCommands;
}
