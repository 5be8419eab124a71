import { t } from '../base/l10n';

/** The text about an agent that still works after Stop, shown and announced to screen readers. @param agent its name, made safe */
export function unresponsiveText(agent: string): string {
  return t("{agent} isn't responding to Stop. Restarting the agent also restarts its other sessions.", { agent });
}
