import type { sandbox } from '../../core/protocol/channels/sandbox';
import type { UserActivity } from '../shared/userActivity';
import { feature } from '../routing/feature';

interface SandboxServices {
  readonly activity: UserActivity;
}

export default feature<typeof sandbox, SandboxServices>(({ activity }) => ({
  sandbox_choose: async (_, { session }) => (await import('../sandbox/chooseSandbox')).chooseSandbox(session, activity),
  sandbox_allow: async ({ kind, target }, { session }) => (await import('../sandbox/allowRefused')).allowRefused(session, { kind, target }),
}));
