import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { JoinedHost } from './fleet-types'

/** `typeId`: like nvidia-222; null: the vGPU has no type. `address`: of its pGPU. */
export type GuestVgpu = { name: string; typeId: string | null; address: string }

/**
 * vGPUs that the guest of a server has, by the host's last report; null: the report does not have them yet. A scan reads mdevs
 * before guests, so a guest that was created in between names an mdev that only the next report lists.
 */
export const guestVgpus = ({ host, pgpus }: JoinedHost, uuid: string): GuestVgpu[] | null => {
  const guest = host.inventory.guests?.find((one) => one.uuid === uuid)
  const mdevs = new Map((host.inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev]))
  if (guest === undefined || guest.mdevs.some((held) => !mdevs.has(held.uuid))) return null
  const pgpuAt = (address: string) => pgpus.find(({ functions }) => functions.includes(address))
  return [
    ...guest.mdevs.map((held) => ({
      name: `mdev ${held.uuid}`,
      at: mdevs.get(held.uuid)?.parent ?? '',
      typeId: mdevs.get(held.uuid)?.typeId ?? null,
    })),
    ...guest.pciDevices.map(({ address }) => {
      const vf = pgpuAt(address)?.pgpu.virtualFunctions.find((one) => one.address === address)
      return {
        name: `VF ${address}`,
        at: address,
        typeId: vf?.currentType == null || vf.currentType === 0 ? null : vendorTypeId(vf.currentType),
      }
    }),
  ].flatMap(({ name, at, typeId }) => {
    const pgpu = pgpuAt(at)?.pgpu
    return pgpu === undefined ? [] : [{ name, typeId, address: pgpu.address }]
  })
}
