/** Under the version of an agent whose contract the console does not know whole. */
export const NewerAgent = () => (
  <p className="text-ink2 text-small">
    Newer than this console, which leaves out what it does not know. Bring the console up to the same release.
  </p>
)
