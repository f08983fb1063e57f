/** `tsx crash-desk.ts ROOT STATE KEY PLACE ORDER`: carries one order out and is killed at the place, as by a power loss. */
import type { SignedCommand } from '@/lib/schemas/agent/command'
import { createCommandDesk } from '../command-desk'
import { createCommandHost } from '../command-host'
import { DEFAULT_COMMANDS } from '../command-settings'
import { openJournal } from '../journal'

const [root = '', state = '', key = '', place = '', order = ''] = process.argv.slice(2)

const desk = createCommandDesk({
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
  reach: (reached) => {
    if (reached === place) process.kill(process.pid, 'SIGKILL')
  },
  log: { info: () => undefined, warn: () => undefined },
})
desk.take([JSON.parse(order) as SignedCommand])
await desk.idle()
