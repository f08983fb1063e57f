import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mdevsOf, novaConfOf } from './lab-cloud'
import { becomesCalm, findInLab } from './lab-fleet'
import { openOperator, waitUntil } from './operator'
import { restartCompute } from './restart-compute'
import { dropSpareMdevs } from './spare-mdevs'

const PROVIDER = 'gpu02_pci_0000_84_00_0'
const CONFIG = novaConfOf('gpu02')

let operator: Awaited<ReturnType<typeof openOperator>>
let original = ''
beforeAll(async () => {
  operator = await openOperator()
  original = readFileSync(CONFIG, 'utf8')
  // One that a server left behind would lock the card on its type: the finding about orphans, and not what is tested here.
  await dropSpareMdevs('gpu02')
})
afterAll(() => operator.close())

const restart = () => restartCompute(operator, 'gpu02')

const totalBecomes = (total: number) =>
  waitUntil(`a total of ${total} in Placement`, async () => {
    const provider = await operator.providerNamed(PROVIDER)
    if (provider === null) return null
    const { inventories } = await operator.placement.getInventories(provider.uuid)
    return inventories.VGPU?.total === total ? total : null
  })

describe('nova.conf of the tree', () => {
  it('reaches Nova with a restart of nova-compute, and until then the console sees the difference', async () => {
    // A T4 holds four T4-4Q and eight T4-2Q.
    await totalBecomes(4)
    const mdevs = mdevsOf('gpu02')
    try {
      writeFileSync(CONFIG, original.replaceAll('nvidia-232', 'nvidia-231'))
      const before = (await findInLab()).findings.map(({ code }) => code)
      expect(before).toContain('placement-total-old')
      await restart()
      await totalBecomes(8)
      expect(readFileSync(CONFIG, 'utf8')).toContain('nvidia-231')
      const after = (await findInLab()).findings
      expect(after.map(({ code }) => code)).not.toContain('placement-total-old')
      // The trait is still that of T4-4Q.
      expect(after.map(({ code }) => code)).toContain('trait-names-other-type')
    } finally {
      writeFileSync(CONFIG, original)
      await restart()
      await totalBecomes(4)
    }
    // Guests and their mdevs outlive nova-compute.
    expect(mdevsOf('gpu02')).toEqual(mdevs)
    await becomesCalm()
  })
})
