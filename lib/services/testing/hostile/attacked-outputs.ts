import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { openEdges } from './attack'
import { heldCloud, orphanCloud, slicedCloud, vendorVfioCloud, wholeCardCloud } from './base-clouds'
import { directOutputs } from './direct-outputs'
import { createHostileSource } from './hostile-text'
import { isJoined } from './joined-fields'
import { type Output, outputsOf } from './outputs'
import { serveClouds } from './read-hostile'

type Attacks = { seed: number; rounds: number }

/** Clouds of which every free text attacks, as the console reads them, some times each. */
const attackedClouds = async ({ seed, rounds }: Attacks): Promise<FleetFacts[]> => {
  const edges = await openEdges()
  const server = await serveClouds(edges)
  const source = createHostileSource(seed)
  try {
    const clouds: FleetFacts[] = []
    for (const build of [slicedCloud, heldCloud, wholeCardCloud, vendorVfioCloud, orphanCloud]) {
      edges.use(null)
      await server.read(build())
      edges.use({
        replace: (path, _, schema) => {
          const { text, isAccepted } = source.attack(path, schema)
          return !isAccepted || isJoined(path) || text.includes('\0') ? undefined : text
        },
      })
      for (let round = 0; round < rounds; round += 1) clouds.push((await server.read(build())).input)
    }
    return clouds
  } finally {
    edges.close()
    await server.stop()
  }
}

/** Renders the outputs of an attacked cloud, or of exporters that get attacks themselves, with the encoders as they are then. */
export type Render = () => Output[]

export const attackedRenders = async (attacks: Attacks): Promise<Render[]> => [
  ...directOutputs(),
  ...(await attackedClouds(attacks)).map((input) => () => outputsOf(input)),
]

export const attackedOutputs = async (attacks: Attacks): Promise<Output[]> =>
  (await attackedRenders(attacks)).flatMap((render) => render())
