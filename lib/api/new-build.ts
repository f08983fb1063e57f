import { BUILD_HEADER } from '@/lib/util/build-header'
import { createNotice } from './notice'

export const newBuild = createNotice()

/** The build of the page, which app/layout wrote; undefined on the server and in development. */
const pageBuild = (): string | undefined =>
  typeof document === 'undefined' ? undefined : document.documentElement.dataset.build

/** True if the answer comes from another build of the console than the page. The page then requests a reload. */
export const noteBuild = ({ headers }: Pick<Response, 'headers'>): boolean => {
  const [own, answering] = [pageBuild(), headers.get(BUILD_HEADER)]
  if (own === undefined || answering === null || own === answering) return false
  newBuild.set('The console was updated. This page no longer refreshes.')
  return true
}
