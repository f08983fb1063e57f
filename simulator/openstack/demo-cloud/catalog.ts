import { uuidFrom } from '@/simulator/random/uuid-from'
import type { Endpoint, KeystoneState } from '../keystone/keystone-state'

const compactId = (text: string): string => uuidFrom(text).replaceAll('-', '')

const SERVICES = [
  { type: 'identity', name: 'keystone', path: 'identity' },
  { type: 'compute', name: 'nova', path: 'compute/v2.1' },
  { type: 'placement', name: 'placement', path: 'placement' },
  { type: 'network', name: 'neutron', path: 'network' },
  { type: 'image', name: 'glance', path: 'image' },
] as const

export type ServiceType = (typeof SERVICES)[number]['type']

export const serviceIdOf = (type: ServiceType): string => compactId(`service ${type}`)

/** Services and their endpoints of one region, all under one origin. */
export const demoCatalog = (
  origin: string,
  region: string,
): Pick<KeystoneState, 'services' | 'endpoints'> => ({
  services: SERVICES.map(({ type, name }) => ({ id: serviceIdOf(type), type, name })),
  endpoints: SERVICES.flatMap(({ type, path }) =>
    (['public', 'internal', 'admin'] as const).map(
      (kind): Endpoint => ({
        id: compactId(`endpoint ${region} ${type} ${kind}`),
        serviceId: serviceIdOf(type),
        interface: kind,
        regionId: region,
        url: `${origin}/${path}`,
      }),
    ),
  ),
})
