/** `tsx crash-executor.ts ROOT STATE KEY STAGE ORDER`: carries one order out and is killed at the stage, as by a power loss. */
import type { SignedCommand } from '@/lib/schemas/agent/command'
import { createCommandExecutor } from '../command-executor'
import { createCommandHost } from '../command-host'
import { DEFAULT_COMMANDS } from '../command-settings'
import { openJournal } from '../journal'

const [root = '', state = '', key = '', stage = '', order = ''] = process.argv.slice(2)

const executor = createCommandExecutor({
  host: createCommandHost({
    root,
    settings: {
      ...DEFAULT_COMMANDS,
      allow: ['restart-nova-compute'],
      restartNovaCompute: ['/.sliceboard/restart'],
    },
  }),
  journal: await openJournal(state),
  key: () => key,
  hostName: () => 'cmp-01',
  onEnded: () => undefined,
  onStage: (reached) => {
    if (reached === stage) process.kill(process.pid, 'SIGKILL')
  },
  log: { info: () => undefined, warn: () => undefined },
})
executor.take([JSON.parse(order) as SignedCommand])
await executor.idle()
