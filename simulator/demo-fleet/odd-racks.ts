import { amdIntelHost } from '@/simulator/fixtures/amd-intel-host'
import { gvtgHost } from '@/simulator/fixtures/gvtg-host'
import { k40cCrowdedHost } from '@/simulator/fixtures/k40c-crowded-host'
import { k40cPassthroughHost } from '@/simulator/fixtures/k40c-passthrough-host'
import { mttyHost } from '@/simulator/fixtures/mtty-host'
import { rtxPassthroughHost } from '@/simulator/fixtures/rtx-passthrough-host'
import { troubleHost } from '@/simulator/fixtures/trouble-host'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { API_HOST } from './api-host'
import { churn, STILL } from './fleet-parts'

const named = (name: string, host: Omit<FleetHost, 'plan' | 'connection'>): FleetHost => ({
  ...host,
  spec: { ...host.spec, name },
  plan: {},
  connection: { kind: 'always' },
})

/** Whole cards with sound and USB functions next to the GPU, on the host that runs Nova's API too. */
export const wholeCards = (): FleetHost =>
  named(API_HOST, { spec: rtxPassthroughHost, projects: ['render-farm'], story: STILL })

/** What every cloud has some of: other vendors, the old, the small, the broken. Racks 6 and 7. */
export const oddRacks = (): FleetHost[] => [
  named('cmp-r6-04', { spec: amdIntelHost, projects: ['bio-ml'], story: churn(0.6) }),
  named('cmp-r7-01', { spec: k40cPassthroughHost, projects: ['cfd-lab'], story: STILL }),
  named('cmp-r7-02', { spec: gvtgHost, projects: ['platform'], story: STILL }),
  named('cmp-r7-03', { spec: troubleHost, projects: ['cfd-lab'], story: STILL }),
  named('cmp-r7-04', {
    spec: { ...mttyHost, numaNodes: [{ id: 0, cpus: '0-63', memoryMib: 257_698 }] },
    projects: ['platform'],
    story: churn(0.3),
  }),
  named('cmp-r7-06', { spec: k40cCrowdedHost, projects: ['cfd-lab'], story: STILL }),
]
