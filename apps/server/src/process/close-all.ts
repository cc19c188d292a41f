/** Closes in reverse order what was opened. A step that fails does not keep the others open: the first error is thrown at the end. */
export async function closeAll(opened: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of opened.splice(0).reverse())
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
