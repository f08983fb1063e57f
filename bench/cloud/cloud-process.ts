/**
 * Process entry: the simulated OpenStack of a generated cloud, with the agents of its hosts. Its one argument is the name of the size.
 * It answers messages of its parent (`CloudRequest`) with `CloudAnswer`.
 */
import type { Cloud } from '@/simulator/openstack/cloud'
import { createAgents } from './create-agents'
import { SIZES, type SizeName } from './sizes'
import { moveHosts } from './world/move-hosts'
import { openCloud } from './world/open-cloud'

/** `report`, `beat`: the hosts send that to the console at the port. `move`: so long, things change. `stop`: the process ends. */
export type CloudRequest =
  | { do: 'report' | 'beat'; port: number }
  | { do: 'move'; port: number; ms: number }
  | { do: 'stop' }
export type CloudAnswer = { authUrl: string; flavor: string } | { done: CloudRequest['do'] }

const size = SIZES[process.argv[2] as SizeName]
const { openstack, hosts } = await openCloud(size)
const agents = createAgents(hosts)

const firstGpuFlavor = ({ nova }: Cloud): string =>
  nova.flavors.find(({ extraSpecs }) => 'resources:VGPU' in extraSpecs)?.id ?? ''

const answer = (content: CloudAnswer): void => {
  process.send?.(content)
}

process.on('message', async (request: CloudRequest) => {
  if (request.do === 'stop') {
    await openstack.stop()
    process.exit(0)
  }
  if (request.do === 'move') await moveHosts(openstack.world, { agents, ...request })
  else await agents[request.do](request.port)
  answer({ done: request.do })
})
process.on('disconnect', () => process.exit(0))
answer({ authUrl: openstack.authUrl, flavor: firstGpuFlavor(openstack.cloud) })
