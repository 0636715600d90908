/**
 * The pane of details on a narrow screen: a sheet over the bottom of the map, of which only the tabs are seen until it is
 * open. Next to the map, it is always open.
 */
export function openSheet(): void {
  document.body.classList.add('sheet');
}

export function closeSheet(): void {
  document.body.classList.remove('sheet');
}
