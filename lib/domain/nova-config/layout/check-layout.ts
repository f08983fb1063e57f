import { listText } from '../../wording'
import { releaseHas } from '../nova-releases'
import { canonicalLayout, type LayoutType, type MdevLayout } from './mdev-layout'

/** Why nova-compute would not start with a layout, or would not apply all of it. One sentence. */
export type LayoutProblem = { host: string; message: string }

/** nova/pci/utils.py; the function is octal. */
const PCI_ADDRESS = /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/
/** A parent without a PCI device, as the kernel's mtty sample. */
const VIRTUAL_PARENT = /^[a-z][a-z0-9_-]{0,63}$/
const TYPE_ID = /^[A-Za-z0-9_.-]{1,128}$/
/** nova/conf/devices.py. */
const MDEV_CLASS = /^(VGPU|CUSTOM_[A-Z0-9_]{1,248})$/

const isAddress = (text: string): boolean => PCI_ADDRESS.test(text) || VIRTUAL_PARENT.test(text)

const repeated = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, index) => texts.indexOf(text) < index)),
]

const typeProblems = (type: LayoutType, release: number): string[] => {
  const { typeId, addresses, mdevClass, maxInstances } = type
  const problems: string[] = []
  if (!TYPE_ID.test(typeId))
    problems.push(
      `"${typeId}" is not a vGPU type. Use an id that the driver reports, for example nvidia-319.`,
    )
  if (addresses?.length === 0)
    problems.push(
      `${typeId} has an empty list of addresses. List its parents, or remove the list to make it the default.`,
    )
  const wrong = addresses?.filter((address) => !isAddress(address)) ?? []
  if (wrong.length > 0)
    problems.push(
      `${listText(wrong)} under ${typeId} is not a PCI address that Nova accepts. Write it like 0000:41:00.0.`,
    )
  if (mdevClass !== null && !MDEV_CLASS.test(mdevClass))
    problems.push(
      `The class "${mdevClass}" of ${typeId} is refused by Nova. It must be VGPU, or CUSTOM_ with capitals, digits and underscores.`,
    )
  if (mdevClass !== null && addresses === null)
    problems.push(
      `${typeId} has the class ${mdevClass} without addresses. Nova then reports VGPU and assigns no vGPU. List its parents.`,
    )
  if (mdevClass !== null && !releaseHas(release, 'mdevClass'))
    problems.push(
      `Nova ${release} does not support mdev_class. Keep VGPU as the class of ${typeId}, or upgrade to Nova 24 (Xena).`,
    )
  if (maxInstances !== null && !(Number.isInteger(maxInstances) && maxInstances >= 1))
    problems.push(`max_instances of ${typeId} is ${maxInstances}. It must be a whole number of at least 1.`)
  if (maxInstances !== null && !releaseHas(release, 'maxInstances'))
    problems.push(
      `Nova ${release} does not support max_instances. Remove it from ${typeId}, or upgrade to Nova 29 (2024.1).`,
    )
  return problems
}

/**
 * What is wrong with a layout by the rules of nova-compute of a release (`24` is Xena); empty when nothing is. Upper case in
 * addresses is no problem: texts are written in lower case. Source: nova/virt/libvirt/driver.py _get_supported_vgpu_types,
 * nova/conf/devices.py.
 */
export const checkLayout = (given: MdevLayout, release: number): LayoutProblem[] => {
  const { host, types } = canonicalLayout(given)
  const typeIds = types.map(({ typeId }) => typeId)
  const defaults = types.filter(({ addresses }) => addresses === null).map(({ typeId }) => typeId)
  const messages = [
    ...repeated(typeIds).map((typeId) => `${typeId} is listed twice. Put its addresses into one list.`),
    ...repeated(types.flatMap(({ addresses }) => addresses ?? [])).map((address) => {
      const holders = types.filter(({ addresses }) => addresses?.includes(address))
      const names = [...new Set(holders.map(({ typeId }) => typeId))]
      return `${address} is listed under ${listText(names)}${names.length === 1 ? ' twice' : ''}, so nova-compute does not start. List it under one type only.`
    }),
    ...(defaults.length < 2
      ? []
      : [
          `${listText(defaults)} have no addresses, and Nova uses only the first. Set addresses for all but one.`,
        ]),
    ...types.flatMap((type) => typeProblems(type, release)),
  ]
  return messages.map((message) => ({ host, message }))
}
