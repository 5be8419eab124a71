import type { signIn } from '../../core/protocol/channels/signIn';
import { feature } from '../routing/feature';

export default feature<typeof signIn>(() => ({
  sign_in: ({ methodId }, { session }) => session.signIn(methodId),
}));
