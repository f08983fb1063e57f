import { labTarget } from './lab-cloud'
import { openOperator } from './operator'

/** Servers that the suites count on; kept between runs. */
const LAB_SERVERS = [
  { name: 'lab-t4', flavor: 'vgpu.t4-4q', host: 'gpu01' },
  { name: 'lab-a2', flavor: 'vgpu.a2-4q', host: 'gpu02' },
]

export const setup = async (): Promise<void> => {
  const { authUrl } = await labTarget()
  const answer = await fetch(authUrl).catch(() => null)
  if (answer === null) throw new Error(`Nothing answers at ${authUrl}; start the lab with npm run lab:start.`)
  const operator = await openOperator()
  try {
    for (const server of LAB_SERVERS) await operator.bootServer(server)
  } finally {
    await operator.close()
  }
}
