import 'server-only'
import { z } from 'zod'

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const nameList = z.string().transform(splitList)

const WEBSSO_ENTRY = /^([^=]+)=(?:([\w.~-]+)\/)?([\w.~-]+)$/

export const webSsoList = z
  .string()
  .refine(
    (text) => splitList(text).every((entry) => WEBSSO_ENTRY.test(entry)),
    'must be entries like "Company login=keycloak/openid" or "Company login=openid", separated by commas',
  )
  .transform((text) =>
    splitList(text).map((entry) => {
      const [, label = '', identityProvider = null, protocol = ''] = WEBSSO_ENTRY.exec(entry) ?? []
      return { label: label.trim(), identityProvider, protocol }
    }),
  )

const KEYSTONE_ENTRY = /^(?:([^=\s]+)=)?(https?:\/\/[^\s,?#@=]+?)\/*$/i

export const keystoneUrlList = z
  .string()
  .refine(
    (text) => splitList(text).every((entry) => KEYSTONE_ENTRY.test(entry)),
    'must be the Keystone address that browsers reach, like "https://keystone.example.org:5000/v3" or "paris=https://keystone.example.org", separated by commas',
  )
  .transform((text) =>
    splitList(text).map((entry) => {
      const [, cloud = null, url = ''] = KEYSTONE_ENTRY.exec(entry) ?? []
      return { cloud, url }
    }),
  )

const DASHBOARD_ENTRY = /^(?:([^=\s]+)=)?(horizon|skyline)\+(https?:\/\/[^\s,?#@]+?)\/*$/i

export const dashboardList = z
  .string()
  .refine(
    (text) => splitList(text).every((entry) => DASHBOARD_ENTRY.test(entry)),
    'must be entries like "horizon+https://horizon.example.org" or "paris=skyline+https://skyline.example.org", separated by commas',
  )
  .transform((text) =>
    splitList(text).map((entry) => {
      const [, cloud = null, kind = '', url = ''] = DASHBOARD_ENTRY.exec(entry) ?? []
      return {
        cloud,
        kind: kind.toLowerCase() === 'horizon' ? ('horizon' as const) : ('skyline' as const),
        url,
      }
    }),
  )

const WEBHOOK_HOST_ENTRY = /^(http:\/\/)?([a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(\d{1,5}))?$/

export const webhookHostList = z
  .string()
  .transform((text) => splitList(text.toLowerCase()))
  .refine(
    (entries) => entries.every((entry) => WEBHOOK_HOST_ENTRY.test(entry)),
    'must be hosts like "chat.corp.example", "10.0.0.7:8443" or "http://localhost:9000", separated by commas',
  )
  .transform((entries) =>
    entries.map((entry) => {
      const [, plain, host = '', port = null] = WEBHOOK_HOST_ENTRY.exec(entry) ?? []
      return { host: host.replace(/^\[(.*)\]$/, '$1'), port, isPlain: plain !== undefined }
    }),
  )
