/**
 * The scripted agent as a Node.js startup snapshot: the SDK and its schemas are loaded when the snapshot is made. This halves the processor
 * time of each of the hundreds of agents that tests start. The agent's own code runs when its process starts.
 */
import '@agentclientprotocol/sdk';
import { startupSnapshot } from 'node:v8';

// `require` delays its execution until then: the bundle contains the module.
startupSnapshot.setDeserializeMainFunction(() => void require('./agent'));
