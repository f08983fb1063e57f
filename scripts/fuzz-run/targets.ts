import { AGENT_TARGETS } from './agent-targets'
import { CLOUD_TARGETS } from './cloud-targets'
import { CONSOLE_TARGETS } from './console-targets'
import type { FuzzTarget } from './target'

/** Every parser of bytes that an agent, a host, OpenStack, the console or a link sends. */
export const FUZZ_TARGETS: FuzzTarget[] = [...CONSOLE_TARGETS, ...AGENT_TARGETS, ...CLOUD_TARGETS]
