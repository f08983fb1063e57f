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
    problems.push(`"${typeId}" is no vGPU type; take an id such as nvidia-319 that the driver shows.`)
  if (addresses?.length === 0)
    problems.push(
      `${typeId} has an empty list of addresses; name its parents, or leave the list out for a default.`,
    )
  const wrong = addresses?.filter((address) => !isAddress(address)) ?? []
  if (wrong.length > 0)
    problems.push(
      `${listText(wrong)} under ${typeId} is no PCI address as Nova reads it; write it like 0000:41:00.0.`,
    )
  if (mdevClass !== null && !MDEV_CLASS.test(mdevClass))
    problems.push(
      `The class "${mdevClass}" of ${typeId} is refused by Nova; it must be VGPU, or CUSTOM_ with capitals, digits and underscores.`,
    )
  if (mdevClass !== null && addresses === null)
    problems.push(
      `${typeId} has the class ${mdevClass} without addresses, and then Nova reports VGPU and hands out nothing; name its parents.`,
    )
  if (mdevClass !== null && !releaseHas(release, 'mdevClass'))
    problems.push(
      `Nova ${release} knows no mdev_class; leave the class of ${typeId} at VGPU, or go to Nova 24 (Xena).`,
    )
  if (maxInstances !== null && !(Number.isInteger(maxInstances) && maxInstances >= 1))
    problems.push(`max_instances of ${typeId} is ${maxInstances}; it must be a whole number of at least 1.`)
  if (maxInstances !== null && !releaseHas(release, 'maxInstances'))
    problems.push(
      `Nova ${release} knows no max_instances; leave it out for ${typeId}, or go to Nova 29 (2024.1).`,
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
    ...repeated(typeIds).map((typeId) => `${typeId} stands there twice; put its addresses into one list.`),
    ...repeated(types.flatMap(({ addresses }) => addresses ?? [])).map((address) => {
      const holders = types.filter(({ addresses }) => addresses?.includes(address))
      const names = [...new Set(holders.map(({ typeId }) => typeId))]
      return `${address} stands under ${listText(names)}${names.length === 1 ? ' twice' : ''}, and nova-compute does not start with that; leave it under one.`
    }),
    ...(defaults.length < 2
      ? []
      : [
          `${listText(defaults)} have no addresses, and Nova takes the first alone; give addresses to all but one.`,
        ]),
    ...types.flatMap((type) => typeProblems(type, release)),
  ]
  return messages.map((message) => ({ host, message }))
}
