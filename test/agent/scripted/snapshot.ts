/**
 * The scripted agent as a start of Node of its own: the SDK and its schemas are loaded when the snapshot is made, and each of the hundreds of
 * agents that tests start takes half of the processor time. What the agent itself does begins with its process.
 */
import '@agentclientprotocol/sdk';
import { startupSnapshot } from 'node:v8';

// `require`, so that it is run then: the bundle has it.
startupSnapshot.setDeserializeMainFunction(() => void require('./agent'));
