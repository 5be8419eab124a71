import { t } from '../l10n';

/** The text for an agent that works on after Stop: the page shows it and screen readers hear it. @param agent its name, made safe */
export function unresponsiveText(agent: string): string {
  return t("{agent} isn't responding to Stop. Restarting the agent also restarts its other sessions.", { agent });
}
