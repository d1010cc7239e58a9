//% output("ndp_" .. block .. ".f")
${banner("RTL in compile order")}
//% for _, f in ipairs(files) do
//%     if f.kind == "include" then
+incdir+rtl
//%         break
//%     end
//% end
//% for _, f in ipairs(files) do
//%     if f.kind == "rtl" then
${f.path}
//%     end
//% end
