import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { expectFound } from './break'
import { reconfigure } from './lab-service'
import { openOperator } from './operator'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const MODEL = '[unified_limit]\nenforcement_model = strict_two_level\n'

/** What Nova answers to a server that the limits of the project would allow. */
const askForServer = async () => {
  const flavor = (await operator.nova.listFlavors()).find(({ name }) => name === 'cpu.small')
  const [image] = await operator.nova.listImages()
  const request = { name: 'lab-two-levels', flavorId: flavor?.id ?? '', imageId: image?.id ?? '' }
  return operator.nova.createServer({ ...request, networks: 'none', metadata: {} }).then(
    () => 'made',
    (error: unknown) => (isOpenStackError(error) ? error.status : error),
  )
}

it('a limit model that Nova does not know is found in Keystone, and Nova creates no server with it', async () => {
  let answer: unknown = null
  await expectFound({
    code: 'limit-model-not-flat',
    sourceToCorrect: 'keystone',
    about: 'strict_two_level',
    break: async () => {
      const repair = reconfigure('keystone', (text) => `${text}${MODEL}`)
      answer = await askForServer()
      return repair
    },
  })
  expect(answer).toBe(500)
  await operator.deleteServer('lab-two-levels')
})
