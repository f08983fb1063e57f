import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { expectRepaired } from './expect-repaired'
import { forgetService, removeHost, runExtraHost } from './extra-host'
import { labFile, novaConfOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { openOperator, waitUntil } from './operator'

/** A host and the name of its nova-compute, which `host` in its nova.conf sets and its agent reads. */
const [HOST, SERVICE] = ['gpu03', 'gpu03-nova']
const FLAVOR = { name: 'lab.l40s-8q', vcpus: 1, ram: 1024, disk: 5 }
const AGENTS = labFile('network-agents.json')

let operator: Awaited<ReturnType<typeof openOperator>>
const close = async () => {
  rmSync(AGENTS, { force: true })
  await operator.deleteFlavor(FLAVOR.name)
  await removeHost(operator, HOST)
  await forgetService(operator, SERVICE)
}
beforeAll(async () => {
  operator = await openOperator()
  await close()
  await operator.createFlavor(FLAVOR, { 'pci_passthrough:alias': 'l40s-8q:1' })
  const text = readFileSync(path.join('lab/hosts', HOST, 'nova-compute.conf'), 'utf8')
  mkdirSync(path.dirname(novaConfOf(HOST)), { recursive: true })
  writeFileSync(novaConfOf(HOST), `${text}\n[DEFAULT]\nhost = ${SERVICE}\n`)
  runExtraHost('add', HOST)
  await waitUntil(`the VFs of ${HOST}`, async () =>
    (await operator.offered(`${HOST}_0000:41:00.0`))?.totals.CUSTOM_L40S_8Q === 6 ? true : null,
  )
})
afterAll(async () => {
  await close()
  await operator.close()
})

/** Neutron lists an L2 agent with this name and a live one of another host. */
const setAgent = (host: string, isAlive = true): void =>
  writeFileSync(
    AGENTS,
    JSON.stringify([
      { host: 'gpu01', agent_type: 'Open vSwitch agent', alive: true },
      { host, agent_type: 'Open vSwitch agent', alive: isAlive },
    ]),
  )

it.each([
  { what: 'without an L2 agent of that name', sourceToCorrect: 'nova.conf', break: () => setAgent(HOST) },
  { what: 'with a dead L2 agent', sourceToCorrect: 'neutron', break: () => setAgent(SERVICE, false) },
])('a nova-compute with another name than its host is found $what', async (fault) => {
  setAgent(SERVICE)
  await becomesCalm()
  await expectRepaired(operator, {
    code: 'network-agent-missing',
    sourceToCorrect: fault.sourceToCorrect,
    about: SERVICE,
    fields: { subject: { kind: 'host', host: SERVICE }, severity: 'error' },
    break: fault.break,
    // As after the same host in neutron.conf, or after a start of the agent.
    follow: () => setAgent(SERVICE),
  })
})
