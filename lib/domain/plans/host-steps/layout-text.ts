import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { novaConf, novaConfItem, novaConfName, novaConfValue } from '@/lib/util/encode/nova-conf'
import type { HostLayout } from './host-layout'

/** The mdev options of nova.conf, one line each. */
export const layoutText = ({ types }: HostLayout): Encoded<'nova-conf'> => {
  const lines = [
    novaConf`[devices]`,
    novaConf`enabled_mdev_types = ${joinEncoded(
      types.map(({ typeId }) => novaConfItem(typeId)),
      ', ',
    )}`,
    ...types.flatMap(({ typeId, addresses, mdevClass, maxInstances }) => {
      const own = [
        ...(addresses === null
          ? []
          : [novaConf`device_addresses = ${joinEncoded(addresses.map(novaConfItem), ',')}`]),
        ...(mdevClass === null ? [] : [novaConf`mdev_class = ${novaConfValue(mdevClass)}`]),
        ...(maxInstances === null ? [] : [novaConf`max_instances = ${maxInstances}`]),
      ]
      return own.length === 0 ? [] : [novaConf``, novaConf`[mdev_${novaConfName(typeId)}]`, ...own]
    }),
  ]
  return joinEncoded(lines, '\n')
}
