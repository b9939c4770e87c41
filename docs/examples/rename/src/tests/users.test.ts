test("known", () => expect(getUserData("ada")).toBeTruthy());
test("unknown", () => expect(getUserData("eve")).toBeNull());
test("same", () => expect(getUserData("ada")).toBe(getUserData("ada")));
